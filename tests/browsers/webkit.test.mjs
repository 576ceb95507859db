import { journey } from './journey.mjs';
import { startWebKit } from './webkit.mjs';

journey({ start: startWebKit, lang: 'en' });
