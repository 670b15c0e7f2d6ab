#!/bin/sh
julia --project model.jl
