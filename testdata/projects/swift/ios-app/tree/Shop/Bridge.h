#import <Foundation/Foundation.h>
@interface Bridge : NSObject
@end
