using Documenter
