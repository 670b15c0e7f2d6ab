package handle

import "context"

func (h *Handlers) lookLanguage(ctx context.Context, dir string, p *project) {}
