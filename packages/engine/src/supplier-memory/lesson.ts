import type { JsonValue } from '@millrace/document-model';
import { fingerprintLikeness, plain } from './likeness.ts';

/** Where a value of a confirmed document stood, as far as the sender's next document is likely to share it. */
export interface TaughtPlace {
  /** Counted from the first page where `fromEnd` is false, from the last one otherwise; from 0. */
  readonly page: number;
  readonly fromEnd: boolean;
  /** Of the value's box, as shares of the page's width and height. */
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
  /** What stands before it in its line, and in the line right above it: lower case, digits as `#`. */
  readonly before: string;
  readonly above: string;
  /** Its characters by class, such as `A-#` for `INV-2041`. */
  readonly shape: string;
}

/** What a confirmed document teaches of one field. */
export interface FieldLesson {
  readonly field: string;
  /** Every place where the confirmed value stood; empty where it stands nowhere. */
  readonly places: readonly TaughtPlace[];
  /** Where a value stood that people replaced or removed. */
  readonly wrongPlaces: readonly TaughtPlace[];
  /** Whether the value had been extracted as it was confirmed. */
  readonly wasRight: boolean;
  /** Whether the document has no such field. */
  readonly isAbsent: boolean;
}

/** What one confirmed document teaches of its sender. It holds no value but those that are the sender's own. */
export interface Lesson {
  readonly docType: string;
  /** The sender's name as it was confirmed; of an account's own type the name of the type or of who issued it. */
  readonly name: string;
  /** The type is the account's own and says of no field that it is the sender's: its documents are known by their layout. */
  readonly byLayout?: boolean;
  /** Numbers that are the sender's alone, normalised. */
  readonly taxIds: readonly string[];
  readonly ibans: readonly string[];
  /** Hashes of the first page's words, each with its place across the page: what a sender's documents have in common. */
  readonly fingerprint: readonly number[];
  readonly fields: readonly FieldLesson[];
  /** Values of the fields that are the sender's own, such as its name and address. */
  readonly constants: Readonly<Record<string, JsonValue>>;
}

/** What is known of a sender: the lessons of its confirmed documents, the newest first. */
export interface KnownSender {
  readonly id: string;
  readonly name: string;
  readonly docType: string;
  readonly lessons: readonly Lesson[];
}

/** Layouts as alike as this are one. */
const sameLayout = 0.6;

/**
 * The known sender whose document taught a lesson: the one of the same number or, where no number speaks, of the same
 * name; of an account's own type, the one whose layout is the same.
 */
export function senderOfLesson(lesson: Lesson, senders: readonly KnownSender[]): KnownSender | null {
  const known = senders.filter(({ docType }) => docType === lesson.docType);
  if (lesson.byLayout) {
    const alike = known.map((sender) => ({ sender, likeness: layoutLikeness(sender, lesson) }));
    const [best] = alike.sort((a, b) => b.likeness - a.likeness);
    return best && best.likeness >= sameLayout ? best.sender : null;
  }
  const numbers = new Set([...lesson.taxIds, ...lesson.ibans]);
  const numbersOf = ({ lessons }: KnownSender) => lessons.flatMap(({ taxIds, ibans }) => [...taxIds, ...ibans]);
  const byNumber = known.find((sender) => numbersOf(sender).some((number) => numbers.has(number)));
  return byNumber ?? known.find(({ name }) => plain(name) === plain(lesson.name)) ?? null;
}

function layoutLikeness({ lessons }: KnownSender, lesson: Lesson): number {
  return Math.max(0, ...lessons.map(({ fingerprint }) => fingerprintLikeness(fingerprint, lesson.fingerprint)));
}
