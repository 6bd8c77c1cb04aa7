/** Name and version of the trained weights; they state the same, and training writes it into them. */
export const modelVersion = 'millrace-2026.11';
