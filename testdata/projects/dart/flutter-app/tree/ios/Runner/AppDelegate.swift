import UIKit

class AppDelegate {}
