class Legacy {}
