"""What is counted in dependency trees and graphs."""
