import { startFirefox } from './firefox.mjs';
import { journey } from './journey.mjs';

journey({ start: startFirefox, lang: 'zh' });
