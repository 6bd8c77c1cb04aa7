/** The part of SaxonJS that the tests use: the package has no types of its own. */
declare module 'saxon-js' {
  interface TransformOptions {
    /** A compiled stylesheet (SEF), parsed. */
    readonly stylesheetInternal: unknown;
    readonly sourceText: string;
    readonly destination: 'serialized';
  }

  const SaxonJS: {
    transform(options: TransformOptions, execution: 'sync'): { readonly principalResult: string };
  };
  export default SaxonJS;
}
