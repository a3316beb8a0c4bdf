// Which tiles there are: those in view get a texture, those that have left give theirs back.

export interface StoredTile {
  column: number;
  row: number;
  texture: WebGLTexture;
  state: 'waiting' | 'asked' | 'ready';
}

export interface TextureMaker {
  makeTexture(): WebGLTexture;
  deleteTexture(texture: WebGLTexture): void;
}

export interface TileRange {
  columns: number;
  firstRow: number;
  lastRow: number;
}

export class TileStore {
  private readonly tiles = new Map<string, StoredTile>();
  private free: WebGLTexture[] = [];

  constructor(private readonly textures: TextureMaker) {}

  get all(): Iterable<StoredTile> {
    return this.tiles.values();
  }

  /** Makes the tiles of the range exist, and no others. */
  keep(range: TileRange): void {
    for (const [key, tile] of this.tiles) {
      if (tile.row >= range.firstRow && tile.row <= range.lastRow && tile.column < range.columns) continue;
      this.tiles.delete(key);
      this.free.push(tile.texture);
    }
    for (let row = range.firstRow; row <= range.lastRow; ++row) {
      for (let column = 0; column < range.columns; ++column) this.add(column, row);
    }
    // A window that got smaller needs fewer textures.
    const most = range.columns * (range.lastRow - range.firstRow + 1) + range.columns;
    while (this.tiles.size + this.free.length > most && this.free.length > 0) this.textures.deleteTexture(this.free.pop()!);
  }

  /** The tile to be made next: the one nearest to the row. */
  nextWaiting(row: number): StoredTile | null {
    let best: StoredTile | null = null;
    for (const tile of this.tiles.values()) {
      if (tile.state !== 'waiting') continue;
      if (!best || Math.abs(tile.row - row) < Math.abs(best.row - row)) best = tile;
    }
    return best;
  }

  holds(tile: StoredTile): boolean {
    return this.tiles.get(keyOf(tile.column, tile.row)) === tile;
  }

  /** `lost`: the textures are gone already, with their context. */
  clear(lost: boolean): void {
    if (!lost) {
      for (const { texture } of this.tiles.values()) this.textures.deleteTexture(texture);
      for (const texture of this.free) this.textures.deleteTexture(texture);
    }
    this.tiles.clear();
    this.free = [];
  }

  private add(column: number, row: number): void {
    const key = keyOf(column, row);
    if (this.tiles.has(key)) return;
    const texture = this.free.pop() ?? this.textures.makeTexture();
    this.tiles.set(key, { column, row, texture, state: 'waiting' });
  }
}

function keyOf(column: number, row: number): string {
  return `${column},${row}`;
}
