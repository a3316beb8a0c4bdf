// Draws tiles with WebGL, from their textures, which are made once and filled again and again.
import { driverFormat, type DriverFormat } from '../gl/compressed-formats';
import { linkProgram, uniformFinder } from '../gl/program';
import { newTexture } from '../gl/upload';
import { setCanvasSize } from '../surface/canvas-size';
import type { ContextRenderer } from '../surface/surface-worker';
import { tileSide, type TileFormat } from './protocol';
import type { FilledTile, TileFrame } from './tile-renderer';

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

interface TileTexture {
  texture: WebGLTexture;
  column: number;
  row: number;
}

export class WebGlTileRenderer implements ContextRenderer<TileFrame> {
  private program!: WebGLProgram;
  private uniform!: (name: string) => WebGLUniformLocation | null;
  private driver: DriverFormat | null = null;
  private readonly tiles = new Map<number, TileTexture>();

  constructor(readonly gl: WebGL2RenderingContext) {
    this.makePrograms();
  }

  makePrograms(): void {
    this.tiles.clear();
    this.program = linkProgram(this.gl, vertexShader, fragmentShader);
    this.uniform = uniformFinder(this.gl, this.program);
  }

  /** Tiles end where a block of BC1 ends, too. */
  setFormat({ format, block }: TileFormat): string | null {
    for (const slot of [...this.tiles.keys()]) this.forget(slot);
    this.driver = driverFormat(this.gl, { format, block, srgb: false });
    return this.driver?.extension ?? null;
  }

  fill({ slot, column, row, data }: FilledTile): void {
    const { gl, driver } = this;
    const texture = this.tiles.get(slot)?.texture ?? this.makeTexture();
    this.tiles.set(slot, { texture, column, row });
    gl.bindTexture(gl.TEXTURE_2D, texture);
    if (driver) gl.compressedTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, tileSide, tileSide, driver.number, data);
    else gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, tileSide, tileSide, gl.RGBA, gl.UNSIGNED_BYTE, data);
  }

  forget(slot: number): void {
    this.gl.deleteTexture(this.tiles.get(slot)?.texture ?? null);
    this.tiles.delete(slot);
  }

  draw(frame: TileFrame): void {
    const { gl, uniform } = this;
    if (gl.isContextLost()) return;
    const { width, height, pixelRatio, top } = frame;
    setCanvasSize(gl.canvas, frame);
    gl.viewport(0, 0, width, height);
    gl.clearColor(...frame.background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.useProgram(this.program);
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform1i(uniform('uTile'), 0);
    gl.uniform2f(uniform('uCanvas'), width, height);
    const side = tileSide * pixelRatio;
    for (const { texture, column, row } of this.tiles.values()) {
      const y = row * side - top * pixelRatio;
      if (y >= height || y + side <= 0) continue;
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.uniform3f(uniform('uPlace'), column * side, y, side);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
  }

  private makeTexture(): WebGLTexture {
    const { gl } = this;
    const texture = newTexture(gl);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texStorage2D(gl.TEXTURE_2D, 1, this.driver?.number ?? gl.RGBA8, tileSide, tileSide);
    return texture;
  }
}
