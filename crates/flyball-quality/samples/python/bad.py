"""A module with a fault for every linter."""
import time
import subprocess

from pydantic import BaseModel


class User(BaseModel):
    name = "nobody"


async def wait(command: str, never_used: str) -> int:
    unused=1
    time.sleep(1)
    return subprocess.call(command,   shell=True)


count: int = "three"
