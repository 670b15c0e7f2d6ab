setopt autocd
setopt autocd
setopt autocd
setopt autocd
setopt autocd
setopt autocd
