// Which tiles there are: those in view get a slot, a place that the renderer keeps one tile in, and
// those that have left give theirs back.

export interface StoredTile {
  column: number;
  row: number;
  slot: number;
  state: 'waiting' | 'asked' | 'ready';
}

export interface TileRange {
  columns: number;
  firstRow: number;
  lastRow: number;
}

export class TileStore {
  private readonly tiles = new Map<string, StoredTile>();
  private free: number[] = [];
  private nextSlot = 0;

  /** `onForget`: nothing needs what is in the slot any more. */
  constructor(private readonly onForget: (slot: number) => void) {}

  /** Those of tiles and those that wait for one. */
  get slotCount(): number {
    return this.tiles.size + this.free.length;
  }

  /** Makes the tiles of the range exist, and no others. */
  keep(range: TileRange): void {
    for (const [key, tile] of this.tiles) {
      if (tile.row >= range.firstRow && tile.row <= range.lastRow && tile.column < range.columns) continue;
      this.tiles.delete(key);
      this.free.push(tile.slot);
    }
    for (let row = range.firstRow; row <= range.lastRow; ++row) {
      for (let column = 0; column < range.columns; ++column) this.add(column, row);
    }
    // A window that got smaller needs fewer slots.
    const most = range.columns * (range.lastRow - range.firstRow + 1) + range.columns;
    while (this.slotCount > most && this.free.length > 0) this.onForget(this.free.pop()!);
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

  /** The renderer has forgotten all tiles. */
  clear(): void {
    this.tiles.clear();
    this.free = [];
  }

  private add(column: number, row: number): void {
    const key = keyOf(column, row);
    if (this.tiles.has(key)) return;
    const slot = this.free.pop() ?? this.nextSlot++;
    this.tiles.set(key, { column, row, slot, state: 'waiting' });
  }
}

function keyOf(column: number, row: number): string {
  return `${column},${row}`;
}
