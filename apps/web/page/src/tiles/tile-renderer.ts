// Draws tiles from their textures. Textures are made once and filled again and again.
import { driverFormat, type DriverFormat } from '../gl/compressed-formats';
import { linkProgram, uniformFinder } from '../gl/program';
import { newTexture } from '../gl/upload';
import { tileSide, type TileFormat } from './protocol';

const vertexShader = `#version 300 es
uniform vec2 uCanvas;   // pixels
uniform vec3 uPlace;    // left, top, side in pixels
out vec2 vPlace;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vPlace = corner;
  vec2 pixel = uPlace.xy + corner * uPlace.z;
  gl_Position = vec4(pixel / uCanvas * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}`;

const fragmentShader = `#version 300 es
precision mediump float;
uniform sampler2D uTile;
in vec2 vPlace;
out vec4 outColor;
void main() { outColor = texture(uTile, vPlace); }`;

export interface PlacedTile {
  texture: WebGLTexture;
  x: number;
  y: number;
}

export class TileRenderer {
  private program!: WebGLProgram;
  private uniform!: (name: string) => WebGLUniformLocation | null;
  private driver: DriverFormat | null = null;
  private textures = 0;

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.makeProgram();
  }

  /** After the context came back, too. */
  makeProgram(): void {
    this.textures = 0;
    this.program = linkProgram(this.gl, vertexShader, fragmentShader);
    this.uniform = uniformFinder(this.gl, this.program);
  }

  /** Tiles end where a block of BC1 ends, too. Returns the extension that draws the format, or null where tiles have to be decoded. */
  setFormat({ format, block }: TileFormat): string | null {
    this.driver = driverFormat(this.gl, { format, block, srgb: false });
    return this.driver?.extension ?? null;
  }

  /** How many textures there are: made and not deleted. */
  get textureCount(): number {
    return this.textures;
  }

  makeTexture(): WebGLTexture {
    const { gl } = this;
    ++this.textures;
    const texture = newTexture(gl);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texStorage2D(gl.TEXTURE_2D, 1, this.driver?.number ?? gl.RGBA8, tileSide, tileSide);
    return texture;
  }

  deleteTexture(texture: WebGLTexture): void {
    --this.textures;
    this.gl.deleteTexture(texture);
  }

  fill(texture: WebGLTexture, data: Uint8Array): void {
    const { gl, driver } = this;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    if (driver) gl.compressedTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, tileSide, tileSide, driver.number, data);
    else gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, tileSide, tileSide, gl.RGBA, gl.UNSIGNED_BYTE, data);
  }

  /** Places are in CSS pixels. */
  draw(tiles: Iterable<PlacedTile>, background: [number, number, number], pixelRatio: number): void {
    const { gl, uniform } = this;
    if (gl.isContextLost()) return;
    gl.viewport(0, 0, gl.canvas.width, gl.canvas.height);
    gl.clearColor(...background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.useProgram(this.program);
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform1i(uniform('uTile'), 0);
    gl.uniform2f(uniform('uCanvas'), gl.canvas.width, gl.canvas.height);
    for (const { texture, x, y } of tiles) {
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.uniform3f(uniform('uPlace'), x * pixelRatio, y * pixelRatio, tileSide * pixelRatio);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
  }
}
