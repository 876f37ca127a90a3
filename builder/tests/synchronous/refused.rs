//! What has no synchronous values is refused.
