import { type Logger, pino } from 'pino';

/** The least important lines that a log writes: each level includes those before it, `silent` writes none. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

/** Where lines are written: standard output in the service. */
export interface LogOutput {
  write(line: string): unknown;
  readonly isTTY?: boolean;
}

/**
 * A service's log: one JSON object per line, plain text on a terminal. It contains ids, codes, counts and times; no
 * headers, secrets or document text. Properties of error objects other than name, code, message and stack (such as the
 * parameters of a failed statement) are left out.
 */
export function createLogger(level: LogLevel, output: LogOutput): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError, error: describeError },
    },
    output.isTTY ? { write: (line: string) => output.write(readable(line)) } : output,
  );
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return {
    name: error.name,
    ...code,
    message: error.message.slice(0, 500),
    stack: error.stack?.slice(0, 4_000),
    ...cause,
  };
}

/** `12:00:01 warn  the message  key=value …` */
function readable(line: string): string {
  const { time, level, msg, ...rest }: Record<string, unknown> = JSON.parse(line);
  const values = Object.entries(rest).map(
    ([key, value]) => `  ${key}=${typeof value === 'string' ? value : readableValue(value)}`,
  );
  return `${String(time).slice(11, 19)} ${String(level).padEnd(5)} ${msg}${values.join('')}\n`;
}

function readableValue(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('stack' in value)) return JSON.stringify(value);
  return String(value.stack);
}
