FROM debian:12.8-slim
WORKDIR /app
COPY . .
USER 1000
CMD ["./start"]
