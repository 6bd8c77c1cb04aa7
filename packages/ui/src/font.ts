// The typeface of console and dashboard; a page that brings its own leaves this out.
import '@fontsource-variable/inter/wght.css';
