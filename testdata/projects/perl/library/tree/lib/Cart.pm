package Cart;
use strict;
sub new { bless {}, shift }
1;
package Cart;
use strict;
sub new { bless {}, shift }
1;
package Cart;
use strict;
sub new { bless {}, shift }
1;
package Cart;
use strict;
sub new { bless {}, shift }
1;
package Cart;
use strict;
sub new { bless {}, shift }
1;
