#!/bin/sh
prove -l
