// Draws original, result, error and map with WebGL. Whoever uses it uploads everything again after
// the context was lost.
import { driverFormat, type DriverFormat, type TextureKind } from '../gl/compressed-formats';
import { linkProgram, uniformFinder } from '../gl/program';
import { newTexture, nextTask, uploadBlocks, uploadPixels } from '../gl/upload';
import type { MapImage, PixelBlock } from '../engine/protocol';
import { copyFragmentShader, coverVertexShader, viewFragmentShader } from './shaders';
import { setCanvasSize } from '../surface/canvas-size';
import { paneCount, paneViews } from './picture-renderer';
import type { BlockTexture, Frame, PictureRenderer } from './picture-renderer';

interface Slot {
  texture: WebGLTexture;
  width: number;
  height: number;
}

export class WebGlRenderer implements PictureRenderer {
  readonly gl: WebGL2RenderingContext;
  private program!: WebGLProgram;
  private uniform!: (name: string) => WebGLUniformLocation | null;
  private copyProgram!: WebGLProgram;
  private original: Slot | null = null;
  private result: (Slot & { isLight: boolean }) | null = null;
  private map: (Slot & { cellWidth: number; cellHeight: number }) | null = null;

  constructor(gl: WebGL2RenderingContext) {
    this.gl = gl;
    this.makePrograms();
  }

  /** After the context came back; all textures are gone. */
  makePrograms(): void {
    const { gl } = this;
    this.original = this.result = this.map = null;
    this.program = linkProgram(gl, coverVertexShader, viewFragmentShader);
    this.uniform = uniformFinder(gl, this.program);
    this.copyProgram = linkProgram(gl, coverVertexShader, copyFragmentShader);
  }

  async driverFormat(kind: TextureKind): Promise<DriverFormat | null> {
    return this.gl.isContextLost() ? null : driverFormat(this.gl, kind);
  }

  async setOriginal(pixels: PixelBlock): Promise<void> {
    const texture = await this.upload(pixels);
    this.forget(this.original);
    this.clearResult();
    this.clearMap();
    this.original = { texture, width: pixels.width, height: pixels.height };
  }

  async setResultPixels(pixels: PixelBlock): Promise<void> {
    const texture = await this.upload(pixels);
    this.replaceResult({ texture, width: pixels.width, height: pixels.height, isLight: false });
  }

  async setResultBlocks(source: BlockTexture, format: DriverFormat): Promise<boolean> {
    const [blockWidth, blockHeight] = source.block.split('x').map(Number) as [number, number];
    const { blocks, width, height, srgb } = source;
    const { number, wholeBlocks } = format;
    const upload = { blocks, width, height, blockWidth, blockHeight, number, wholeBlocks };
    const texture = await uploadBlocks(this.gl, upload);
    if (!texture) return false;
    this.replaceResult({ texture, width, height, isLight: srgb });
    return true;
  }

  clearResult(): void {
    this.forget(this.result);
    this.result = null;
  }

  async setMap(map: MapImage): Promise<void> {
    const texture = await this.upload(map.pixels);
    this.clearMap();
    const { cellWidth, cellHeight, pixels } = map;
    this.map = { texture, width: pixels.width, height: pixels.height, cellWidth, cellHeight };
  }

  clearMap(): void {
    this.forget(this.map);
    this.map = null;
  }

  draw(frame: Frame): void {
    const { gl, uniform, original } = this;
    if (gl.isContextLost()) return;
    const { width, height, pixelRatio, origin, view, colors } = frame;
    setCanvasSize(gl.canvas, frame);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    if (!original) {
      gl.clearColor(...colors.background, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      return;
    }
    gl.useProgram(this.program);
    this.bind(0, 'uOriginal', original.texture);
    this.bind(1, 'uResult', this.result?.texture ?? original.texture);
    this.bind(2, 'uMap', this.map?.texture ?? original.texture);
    gl.uniform1i(uniform('uHasResult'), this.result ? 1 : 0);
    gl.uniform1i(uniform('uResultIsLight'), this.result?.isLight ? 1 : 0);
    gl.uniform2f(uniform('uCanvas'), width, height);
    gl.uniform2f(uniform('uPicture'), original.width, original.height);
    gl.uniform2f(uniform('uOrigin'), origin.x * pixelRatio, origin.y * pixelRatio);
    gl.uniform1f(uniform('uScale'), frame.scale * pixelRatio);
    gl.uniform1i(uniform('uPanes'), paneCount(view));
    gl.uniform1iv(uniform('uViews'), [...paneViews[view], 0, 0].slice(0, 3));
    gl.uniform1f(uniform('uDivider'), view === 'split' ? frame.divider * width : -1);
    gl.uniform1f(uniform('uGain'), frame.gain);
    gl.uniform2f(uniform('uMapCell'), this.map?.cellWidth ?? 0, this.map?.cellHeight ?? 0);
    gl.uniform1f(uniform('uMapOpacity'), frame.mapOpacity);
    gl.uniform3fv(uniform('uBackground'), colors.background);
    gl.uniform3fv(uniform('uCheckers'), colors.checkers.flat());
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  /** The result's texels as the driver gives them, read back strip by strip. */
  async readResult(): Promise<PixelBlock> {
    const { gl, result } = this;
    if (!result || gl.isContextLost()) throw new Error('There is no result on the graphics card.');
    const { width, height, texture } = result;
    const data = new Uint8Array(width * height * 4);
    const rowsAtOnce = Math.max(1, Math.min(height, Math.floor((1 << 18) / width)));
    const target = newTexture(gl);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, width, rowsAtOnce);
    const framebuffer = gl.createFramebuffer();
    const uniformOfCopy = uniformFinder(gl, this.copyProgram);
    for (let y = 0; y < height; y += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, height - y);
      gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, target, 0);
      gl.viewport(0, 0, width, rowsAtOnce);
      gl.useProgram(this.copyProgram);
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.uniform1i(uniformOfCopy('uResult'), 0);
      gl.uniform1i(uniformOfCopy('uResultIsLight'), result.isLight ? 1 : 0);
      gl.uniform1i(uniformOfCopy('uFirstRow'), y);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      const part = data.subarray(y * width * 4, (y + rows) * width * 4);
      gl.readPixels(0, 0, width, rows, gl.RGBA, gl.UNSIGNED_BYTE, part);
      await nextTask();
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.deleteFramebuffer(framebuffer);
    gl.deleteTexture(target);
    return { data, width, height };
  }

  private async upload(pixels: PixelBlock): Promise<WebGLTexture> {
    const texture = await uploadPixels(this.gl, pixels);
    if (texture) return texture;
    const size = `${pixels.width.toLocaleString('en')} × ${pixels.height.toLocaleString('en')}`;
    throw new Error(`The graphics driver here cannot draw a picture of ${size} pixels.`);
  }

  private bind(unit: number, name: string, texture: WebGLTexture): void {
    this.gl.activeTexture(this.gl.TEXTURE0 + unit);
    this.gl.bindTexture(this.gl.TEXTURE_2D, texture);
    this.gl.uniform1i(this.uniform(name), unit);
  }

  private replaceResult(result: Slot & { isLight: boolean }): void {
    this.clearResult();
    this.result = result;
  }

  private forget(slot: Slot | null): void {
    if (slot) this.gl.deleteTexture(slot.texture);
  }
}
