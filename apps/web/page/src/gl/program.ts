// Compiles and links a pair of shaders.

/** A context that is lost compiles nothing; what it returns then is never drawn with. */
export function linkProgram(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) continue;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
      throw new Error(`A shader does not compile: ${gl.getShaderInfoLog(shader)}`);
    }
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`The shaders do not link: ${gl.getProgramInfoLog(program)}`);
  }
  return program;
}

/** Locations of uniforms by name, each asked for once. */
export function uniformFinder(gl: WebGL2RenderingContext, program: WebGLProgram) {
  const found = new Map<string, WebGLUniformLocation | null>();
  return (name: string): WebGLUniformLocation | null => {
    if (!found.has(name)) found.set(name, gl.getUniformLocation(program, name));
    return found.get(name)!;
  };
}
