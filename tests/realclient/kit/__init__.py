"""Drives the real coding agents against scripted models on loopback."""
