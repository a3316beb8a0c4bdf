// Draws the bound texture over the whole canvas, its first row on top: no more than WebGL asks of everybody.
const vertex = `#version 300 es
out vec2 place;
void main() {
  place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
  gl_Position = vec4(place * vec2(2, -2) + vec2(-1, 1), 0, 1);
}`;
const fragment = `#version 300 es
precision highp float;
in vec2 place;
uniform sampler2D image;
out vec4 color;
void main() { color = texture(image, place); }`;

export function draw(gl) {
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
}
