#error "this isn't compiled"
