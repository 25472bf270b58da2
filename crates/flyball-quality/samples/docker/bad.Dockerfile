FROM debian:latest
RUN cd /app && apt-get install curl
