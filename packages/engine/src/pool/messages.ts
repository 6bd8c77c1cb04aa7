import type { Extraction, ReadDocument } from '@millrace/document-model';
import type { EngineErrorCode } from '../errors.ts';
import type { ExtractOptions } from '../extract-options.ts';
import type { IngestLimits } from '../ingest/ingest.ts';
import type { Answer } from '../model-reading/answer.ts';
import type { ConsultOptions } from '../model-reading/consult.ts';
import type { Consultation, Scope } from '../model-reading/question.ts';
import type { PictureRequest } from '../read/draw-picture.ts';
import type { ReadingStep } from '../read/step.ts';
import type { Lesson } from '../supplier-memory/lesson.ts';
import type { Confirmed } from '../supplier-memory/teach.ts';

/** What a pool asks one of its processes to do, one thing at a time. */
export type Request =
  | { readonly kind: 'warm-up' }
  | { readonly kind: 'extract'; readonly bytes: Uint8Array; readonly options: ExtractOptions }
  | { readonly kind: 'consult'; readonly bytes: Uint8Array; readonly options: ExtractOptions; readonly scope: Scope }
  | {
      readonly kind: 'answer';
      readonly document: ReadDocument;
      readonly options: ConsultOptions;
      readonly answer: Answer;
    }
  | {
      readonly kind: 'draw';
      readonly bytes: Uint8Array;
      readonly picture: PictureRequest;
      readonly limits: IngestLimits;
    }
  | {
      readonly kind: 'teach';
      readonly bytes: Uint8Array;
      readonly confirmed: Confirmed;
      readonly limits: IngestLimits;
    }
  | { readonly kind: 'count'; readonly bytes: Uint8Array; readonly limits: IngestLimits }
  | { readonly kind: 'read'; readonly bytes: Uint8Array; readonly limits: IngestLimits };

/** What a process hands back. */
export type Result = Extraction | ReadDocument | Consultation | Lesson | Uint8Array | number | null;

/** What a process reports to its pool. */
export type Report =
  | { readonly kind: 'ready' }
  /** It begins a step that has limits of its own. */
  | { readonly kind: 'step'; readonly step: ReadingStep }
  | { readonly kind: 'done'; readonly result: Result; readonly residentBytes: number }
  | {
      readonly kind: 'failed';
      readonly code: EngineErrorCode;
      readonly message: string;
      /** For the log: why, without document text. */
      readonly cause: string | null;
      readonly residentBytes: number;
    };
