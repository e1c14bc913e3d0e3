vec3 seen_normal(vec3 bend) { return (gl_FrontFacing ? 1.0 : -1.0) * bend / max(length(bend), 1e-6); }
