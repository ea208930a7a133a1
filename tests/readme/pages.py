"""Reads Markdown pages: their fenced blocks, in order."""
import pathlib
import re
from dataclasses import dataclass


@dataclass
class Block:
    language: str
    text: str
    line: int  # of the opening fence
    begin: int  # of `text` in the page
    end: int


def blocks(page):
    """The fenced blocks of a page's text. A longer fence may hold shorter ones."""
    found = []
    for m in re.finditer(r"^(`{3,})([\w-]*)\n(.*?)^\1$", page, re.M | re.S):
        found.append(Block(m[2], m[3], page.count("\n", 0, m.start()) + 1, m.start(3), m.end(3)))
    return found


def read(path):
    return pathlib.Path(path).read_text(encoding="utf-8")
