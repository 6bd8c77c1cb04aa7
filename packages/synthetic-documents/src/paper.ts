import sharp from 'sharp';
import type { Random } from './random.ts';
import type { Raster } from './raster.ts';

/** Lets what is printed on the back shine through: the page itself, mirrored, out of focus and faint. */
export async function showThrough(front: Raster, random: Random): Promise<Raster> {
  const { width, height } = front;
  const raw = { raw: { width, height, channels: 3 as const } };
  const back = await sharp(front.data, raw).flop().blur(1.6).raw().toBuffer();
  const strength = 0.14 + random.next() * 0.16;
  const shift = random.integer(-40, 40) * 3;
  const data = front.data.map((value, at) => {
    const behind = back[at + shift] ?? 255;
    return Math.min(value, 255 - strength * (255 - behind));
  });
  return { width, height, data };
}

/** Folds the paper in two or three: a dark line where it was folded, and one side of it in a shade. */
export function fold(raster: Raster, random: Random): Raster {
  const { width, height } = raster;
  const data = raster.data.slice();
  const folds = random
    .pick([[0.5], [1 / 3, 2 / 3]])
    .map((share) => Math.round(height * (share + (random.next() - 0.5) * 0.04)));
  const reach = Math.round(height * 0.06);
  for (const at of folds) {
    const depth = 0.1 + random.next() * 0.15;
    for (let y = Math.max(0, at - 1); y < Math.min(height, at + reach); y += 1) {
      const light = y <= at + 1 ? 1 - 2 * depth : 1 - depth * (1 - (y - at) / reach);
      for (let index = y * width * 3; index < (y + 1) * width * 3; index += 1) data[index] = data[index]! * light;
    }
  }
  return { width, height, data };
}

/** Lights the page by a lamp on one side: bright around a point, dark in the far corner. */
export function lamp(raster: Raster, random: Random): Raster {
  const { width, height } = raster;
  const [centreX, centreY] = [random.next() * width, random.next() * height];
  const fall = 0.25 + random.next() * 0.25;
  const data = raster.data.map((value, at) => {
    const pixel = Math.floor(at / 3);
    const x = ((pixel % width) - centreX) / width;
    const y = (Math.floor(pixel / width) - centreY) / height;
    return value * (1 - fall * Math.min(1, x * x + y * y));
  });
  return { width, height, data };
}

/** Sees the page as a camera does that isn't held level: its four corners come nearer or farther by up to a tenth. */
export function perspective(raster: Raster, random: Random, around: readonly [number, number, number]): Raster {
  const { width, height } = raster;
  const inset = () => 0.005 + random.next() * 0.06;
  const corners = [
    [inset(), inset()],
    [1 - inset(), inset()],
    [1 - inset(), 1 - inset()],
    [inset(), 1 - inset()],
  ] as const;
  const toPage = unitSquareOf(corners);
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [u, v] = toPage(x / width, y / height);
      const [fromX, fromY] = [u * (width - 1), v * (height - 1)];
      const to = (y * width + x) * 3;
      if (fromX < 0 || fromY < 0 || fromX >= width - 1 || fromY >= height - 1) {
        data.set(around, to);
        continue;
      }
      const [column, row] = [Math.floor(fromX), Math.floor(fromY)];
      const [right, down] = [fromX - column, fromY - row];
      const from = (row * width + column) * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        const at = (offset: number) => raster.data[from + offset + channel]!;
        const above = at(0) * (1 - right) + at(3) * right;
        const below = at(width * 3) * (1 - right) + at(width * 3 + 3) * right;
        data[to + channel] = above * (1 - down) + below * down;
      }
    }
  }
  return { width, height, data };
}

type Corner = readonly [x: number, y: number];

/**
 * The projective map from a quadrilateral to the unit square, after Heckbert, "Fundamentals of Texture Mapping and Image
 * Warping" (1989): the square's map to the quadrilateral, inverted by its adjugate.
 */
function unitSquareOf([a, b, c, d]: readonly [Corner, Corner, Corner, Corner]) {
  const [dx1, dx2, sx] = [b[0] - c[0], d[0] - c[0], a[0] - b[0] + c[0] - d[0]];
  const [dy1, dy2, sy] = [b[1] - c[1], d[1] - c[1], a[1] - b[1] + c[1] - d[1]];
  const determinant = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / determinant;
  const h = (dx1 * sy - sx * dy1) / determinant;
  const m = [
    [b[0] - a[0] + g * b[0], d[0] - a[0] + h * d[0], a[0]],
    [b[1] - a[1] + g * b[1], d[1] - a[1] + h * d[1], a[1]],
    [g, h, 1],
  ] as const;
  const minor = (row: number, column: number) => {
    const [r1, r2] = [0, 1, 2].filter((each) => each !== row) as [number, number];
    const [c1, c2] = [0, 1, 2].filter((each) => each !== column) as [number, number];
    const sign = (row + column) % 2 === 0 ? 1 : -1;
    return sign * (m[r1]![c1]! * m[r2]![c2]! - m[r1]![c2]! * m[r2]![c1]!);
  };
  const adjugate = [0, 1, 2].map((row) => [0, 1, 2].map((column) => minor(column, row)));
  return (x: number, y: number): Corner => {
    const [u, v, w] = adjugate.map((row) => row[0]! * x + row[1]! * y + row[2]!) as [number, number, number];
    return [u / w, v / w];
  };
}
