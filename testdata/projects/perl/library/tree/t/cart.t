use strict;
use Test::More;
