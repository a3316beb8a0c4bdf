// The viewer's shaders: one triangle over the canvas; each pixel finds its pane, its texels and what
// is shown of them.

export const coverVertexShader = `#version 300 es
void main() {
  vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}`;

/** Samplers of sRGB textures give light; pictures on the page are sRGB values. */
export const resultTexelFunction = `
uniform sampler2D uResult;
uniform bool uResultIsLight;
vec3 srgbOfLight(vec3 light) {
  vec3 low = light * 12.92;
  vec3 high = 1.055 * pow(max(light, vec3(1e-8)), vec3(1.0 / 2.4)) - 0.055;
  return mix(high, low, vec3(lessThanEqual(light, vec3(0.0031308))));
}
vec4 resultTexel(ivec2 at) {
  vec4 texel = texelFetch(uResult, at, 0);
  return uResultIsLight ? vec4(srgbOfLight(texel.rgb), texel.a) : texel;
}`;

export const viewFragmentShader = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D uOriginal;
uniform sampler2D uMap;
${resultTexelFunction}
uniform vec2 uCanvas;      // pixels
uniform vec2 uPicture;     // texels
uniform vec2 uOrigin;      // of the picture in a pane, in pixels
uniform float uScale;      // pixels a texel
uniform int uPanes;
uniform int uViews[3];     // 0 original, 1 result, 2 error
uniform float uDivider;    // pixels; left of it the original is shown; negative: none
uniform float uGain;
uniform bool uHasResult;
uniform vec2 uMapCell;     // texels; 0: no map
uniform float uMapOpacity;
uniform vec3 uBackground;
uniform vec3 uCheckers[2];
out vec4 outColor;

vec3 overCheckers(vec4 color, vec2 pixel) {
  ivec2 square = ivec2(floor(pixel / 8.0));
  return mix(uCheckers[(square.x + square.y) & 1], color.rgb, color.a);
}

vec4 errorColor(vec4 a, vec4 b) {
  vec4 difference = abs(a - b) * uGain;
  return vec4(difference.rgb + difference.a, 1.0);
}

vec4 shownTexel(int view, ivec2 at) {
  if (view == 0 || !uHasResult) return texelFetch(uOriginal, at, 0);
  if (view == 1) return resultTexel(at);
  return errorColor(texelFetch(uOriginal, at, 0), resultTexel(at));
}

// Where the picture is shrunk, the mean of some texels under the pixel.
vec4 shownColor(int view, vec2 position) {
  int taps = clamp(int(ceil(1.0 / uScale)), 1, 4);
  vec4 sum = vec4(0.0);
  for (int y = 0; y < taps; ++y) {
    for (int x = 0; x < taps; ++x) {
      vec2 shift = (vec2(x, y) + 0.5) / float(taps) - 0.5;
      vec2 at = clamp(position + shift / uScale, vec2(0.0), uPicture - 1.0);
      vec4 texel = shownTexel(view, ivec2(taps == 1 ? position : at));
      sum += vec4(texel.rgb * texel.a, texel.a);
    }
  }
  return vec4(sum.rgb / max(sum.a, 1e-6), sum.a / float(taps * taps));
}

void main() {
  vec2 pixel = vec2(gl_FragCoord.x, uCanvas.y - gl_FragCoord.y);
  float paneWidth = uCanvas.x / float(uPanes);
  int pane = min(int(pixel.x / paneWidth), uPanes - 1);
  vec2 inPane = vec2(pixel.x - float(pane) * paneWidth, pixel.y);
  int view = uDivider >= 0.0 ? (pixel.x < uDivider ? 0 : 1) : uViews[pane];
  vec2 position = (inPane - uOrigin) / uScale;
  bool inside = all(greaterThanEqual(position, vec2(0.0))) && all(lessThan(position, uPicture));
  if (!inside) {
    outColor = vec4(uBackground, 1.0);
    return;
  }
  vec3 color = overCheckers(shownColor(view, position), pixel);
  if (uMapCell.x > 0.0 && (view == 1 || (view == 2 && uPanes == 1))) {
    color = mix(color, texelFetch(uMap, ivec2(position / uMapCell), 0).rgb, uMapOpacity);
  }
  outColor = vec4(color, 1.0);
}`;

/** Copies texels of the result to a framebuffer of the same size, for the check of the driver. */
export const copyFragmentShader = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
${resultTexelFunction}
uniform int uFirstRow;
out vec4 outColor;
void main() {
  outColor = resultTexel(ivec2(gl_FragCoord.xy) + ivec2(0, uFirstRow));
}`;
