#include <stdlib.h>
#include <string.h>

#include "list.h"

struct list *list_push(struct list *head, const char *value) {
	struct list *node = malloc(sizeof *node);
	if (node == NULL)
		return head;
	node->value = strdup(value);
	node->next = head;
	return node;
}
