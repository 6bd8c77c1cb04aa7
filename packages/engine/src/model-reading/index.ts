export type { Answer, AnswerValue } from './answer.ts';
export type { Consultation, Question, Scope } from './question.ts';
export { type AnswerShape, partsOf, shapeOf } from './shape.ts';
