#ifndef LIST_H
#define LIST_H

/* The class of lists that this program needs: single linked. */
struct list {
	char *value;
	struct list *next;
};

struct list *list_push(struct list *head, const char *value);

#endif
