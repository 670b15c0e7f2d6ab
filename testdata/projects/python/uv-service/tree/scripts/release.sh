#!/bin/sh
set -e
uv build
