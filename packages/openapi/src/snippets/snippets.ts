import { writeCSharp } from './csharp.ts';
import { writeCurl } from './curl.ts';
import { writeGo } from './go.ts';
import { writeJava } from './java.ts';
import { writeJavaScript } from './javascript.ts';
import { writePython } from './python.ts';
import { type SnippetRequest, sendable } from './request.ts';

export type { SnippetRequest } from './request.ts';

/** A request as source of one language. */
export interface Snippet {
  readonly language: string;
  readonly label: string;
  readonly code: string;
}

const languages = [
  { language: 'curl', label: 'curl', write: writeCurl },
  { language: 'javascript', label: 'JavaScript', write: writeJavaScript },
  { language: 'python', label: 'Python', write: writePython },
  { language: 'java', label: 'Java', write: writeJava },
  { language: 'go', label: 'Go', write: writeGo },
  { language: 'csharp', label: 'C#', write: writeCSharp },
] as const;

/** The request in every language; whatever is in it, a snippet sends it and does nothing else. */
export function snippetsOf(request: SnippetRequest): Snippet[] {
  const sent = sendable(request);
  return languages.map(({ language, label, write }) => ({ language, label, code: write(sent) }));
}
