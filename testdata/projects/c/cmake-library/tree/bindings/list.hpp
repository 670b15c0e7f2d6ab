#include "list.h"
namespace list {}
