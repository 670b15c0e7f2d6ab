"""A small inventory service."""

from dataclasses import dataclass


@dataclass
class Item:
    name: str
    count: int = 0

    def take(self, n: int) -> int:
        if n > self.count:
            raise ValueError(f"only {self.count} of {self.name} left")
        self.count -= n
        return self.count
