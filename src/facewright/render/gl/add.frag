// One sample of each pixel, by its share.
uniform sampler2D given;
uniform float share;
out vec4 light;

void main() { light = share * texelFetch(given, ivec2(gl_FragCoord.xy), 0); }
