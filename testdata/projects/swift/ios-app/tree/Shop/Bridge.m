#import "Bridge.h"
@implementation Bridge
@end
