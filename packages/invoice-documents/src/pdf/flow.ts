import { page, type Sheet } from './sheet.ts';

/** Places blocks below each other, and goes to the next page where one doesn't fit. */
export class Flow {
  y: number;
  readonly #sheet: Sheet;
  readonly #beginPage: (flow: Flow) => void;

  /** @param beginPage draws what every further page begins with, and moves `y` behind it */
  constructor(sheet: Sheet, y: number, beginPage: (flow: Flow) => void) {
    this.#sheet = sheet;
    this.y = y;
    this.#beginPage = beginPage;
  }

  /** @returns whether a new page began because the height was not left */
  reserve(height: number): boolean {
    if (this.y + height <= page.bottom) return false;
    this.#sheet.pdf.addPage();
    this.y = page.top;
    this.#beginPage(this);
    return true;
  }
}
