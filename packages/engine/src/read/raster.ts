/** A picture in memory: 8-bit red, green, blue, row by row from the top left, without padding. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** `width * height * 3` bytes. */
  readonly data: Uint8Array;
}
