// Names of months and weekdays. Skeletons treat them like numbers: a calendar shows twelve of them before it repeats.
// Written out, because reading them from Intl takes too long; date-words.test.ts compares both.

import { WordScanner } from './word-scanner.ts'

/** One language after the other: English, German, French, ... Names that an earlier language has are not repeated. */
const NAMES = `
  jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun
  january february march april may june july august september october november december monday tuesday wednesday
  thursday friday saturday sunday
  januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag
  janvier février mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi
  samedi dimanche
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miércoles
  jueves viernes sábado domingo
  gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre lunedì martedì mercoledì giovedì venerdì
  sabato domenica
  janeiro fevereiro março maio junho julho setembro outubro novembro dezembro segunda feira terça quarta quinta sexta
  januari februari maart mei augustus maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
  maj augusti måndag tisdag onsdag torsdag fredag lördag söndag
  marts mandag tirsdag lørdag søndag
  desember
  janúar febrúar apríl maí júní júlí ágúst október nóvember mánudagur þriðjudagur miðvikudagur fimmtudagur föstudagur
  laugardagur sunnudagur
  tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu tammikuuta
  helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta
  joulukuuta maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai
  styczeń luty marzec kwiecień czerwiec lipiec sierpień wrzesień październik listopad grudzień stycznia lutego marca
  kwietnia maja czerwca lipca sierpnia września października listopada grudnia poniedziałek wtorek środa czwartek
  piątek sobota niedziela
  leden únor březen duben květen červen červenec srpen září říjen prosinec ledna února března dubna května června
  července srpna října listopadu prosince pondělí úterý středa čtvrtek pátek neděle
  január február marec máj jún júl januára februára apríla mája júna júla augusta septembra októbra novembra decembra
  pondelok utorok streda štvrtok piatok nedeľa
  március április május június július augusztus szeptember hétfő kedd szerda csütörtök péntek szombat vasárnap
  ianuarie februarie martie aprilie iunie iulie septembrie octombrie noiembrie decembrie luni marți miercuri joi
  vineri sâmbătă duminică
  януари февруари март април май юни юли август септември октомври ноември декември понеделник вторник сряда четвъртък
  петък събота неделя
  јануари мај јуни јули среда четврток петок сабота недела
  январь февраль апрель июнь июль сентябрь октябрь ноябрь декабрь января февраля марта апреля мая июня июля августа
  сентября октября ноября декабря понедельник четверг пятница суббота воскресенье
  січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень січня лютого березня
  квітня травня червня липня серпня вересня жовтня листопада грудня понеділок вівторок середа четвер пʼятниця субота
  неділя
  јануар фебруар јун јул септембар октобар новембар децембар понедељак уторак четвртак петак недеља
  mart avgust septembar oktobar novembar decembar ponedeljak utorak sreda četvrtak petak subota nedelja
  siječanj veljača ožujak travanj svibanj lipanj srpanj kolovoz rujan studeni prosinac siječnja veljače ožujka travnja
  svibnja lipnja srpnja kolovoza rujna studenoga prosinca ponedjeljak srijeda nedjelja
  junij julij ponedeljek torek četrtek petek
  janar shkurt prill qershor korrik gusht shtator tetor nëntor dhjetor hënë martë mërkurë enjte premte shtunë diel
  ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου
  δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή
  ocak şubat nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık pazartesi salı çarşamba perşembe cuma
  cumartesi pazar
  yanvar fevral aprel iyun iyul avqust sentyabr oktyabr noyabr dekabr bazar ertəsi çərşənbə axşamı cümə şənbə
  maret agustus senin selasa rabu kamis jumat sabtu minggu
  mac julai ogos disember isnin khamis jumaat ahad
  gener febrer març maig juny juliol agost setembre desembre dilluns dimarts dimecres dijous divendres dissabte
  diumenge
  xaneiro febreiro xuño xullo decembro luns mércores xoves venres
  urtarrila otsaila martxoa apirila maiatza ekaina uztaila abuztua iraila urria azaroa abendua astelehena asteartea
  asteazkena osteguna ostirala larunbata igandea
  jaanuar veebruar märts aprill juuni juuli oktoober detsember esmaspäev teisipäev kolmapäev neljapäev reede laupäev
  pühapäev
  janvāris februāris aprīlis maijs jūnijs jūlijs augusts septembris oktobris novembris decembris pirmdiena otrdiena
  trešdiena ceturtdiena piektdiena sestdiena svētdiena
  sausis vasaris kovas balandis gegužė birželis liepa rugpjūtis rugsėjis spalis lapkritis gruodis sausio vasario kovo
  balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio pirmadienis antradienis trečiadienis
  ketvirtadienis penktadienis šeštadienis sekmadienis
  eanáir feabhra márta aibreán bealtaine meitheamh iúil lúnasa meán fómhair deireadh samhain nollaig luain máirt
  céadaoin déardaoin haoine sathairn domhnaigh
  ionawr chwefror mawrth ebrill mehefin gorffennaf awst medi hydref tachwedd rhagfyr dydd llun mercher iau gwener
  sadwrn sul
  يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر الاثنين الثلاثاء الأربعاء الخميس الجمعة
  السبت الأحد
  ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר יום שני שלישי רביעי חמישי שישי שבת ראשון
  ژانویه فوریه آوریل ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر دوشنبه سه‌شنبه چهارشنبه پنجشنبه جمعه شنبه یکشنبه
  جنوری فروری مارچ اپریل مئی جون جولائی اگست ستمبر اکتوبر نومبر دسمبر پیر منگل بدھ جمعرات جمعہ ہفتہ اتوار
  जनवरी फ़रवरी मार्च अप्रैल जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार
  रविवार
  জানুয়ারি ফেব্রুয়ারি মার্চ মে এপ্রিল জুন জুলাই আগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর সোমবার মঙ্গলবার বুধবার
  বৃহস্পতিবার শুক্রবার শনিবার রবিবার
  ஜனவரி பிப்ரவரி மார்ச் மே ஏப்ரல் ஜூன் ஜூலை ஆகஸ்ட் செப்டம்பர் அக்டோபர் நவம்பர் டிசம்பர் திங்கள் செவ்வாய் புதன் வியாழன்
  வெள்ளி சனி ஞாயிறு
  มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม วันจันทร์
  วันอังคาร วันพุธ วันพฤหัสบดี วันศุกร์ วันเสาร์ วันอาทิตย์
  იანვარი თებერვალი მარტი აპრილი მაისი ივნისი ივლისი აგვისტო სექტემბერი ოქტომბერი ნოემბერი დეკემბერი ორშაბათი
  სამშაბათი ოთხშაბათი ხუთშაბათი პარასკევი შაბათი კვირა
  հունվար փետրվար մարտ ապրիլ մայիս հունիս հուլիս օգոստոս սեպտեմբեր հոկտեմբեր նոյեմբեր դեկտեմբեր հունվարի փետրվարի
  մարտի ապրիլի մայիսի հունիսի հուլիսի օգոստոսի սեպտեմբերի հոկտեմբերի նոյեմբերի դեկտեմբերի երկուշաբթի երեքշաբթի
  չորեքշաբթի հինգշաբթի ուրբաթ շաբաթ կիրակի`

/** Filled when the first page is checked: it takes 5 ms. */
const HASHES = new Set<number>()
/** Rules out most words by their lowest bits alone. */
const HASH_FILTER = new Uint8Array(16_384)
const FILTER_MASK = HASH_FILTER.length - 1

/** `hash`: of the word, as computed by WordScanner. */
export function isDateWord(hash: number): boolean {
  if (HASHES.size === 0) hashNames()
  return HASH_FILTER[hash & FILTER_MASK] === 1 && HASHES.has(hash)
}

function hashNames(): void {
  // The scanner ignores the case of ASCII letters only.
  const capitalised = NAMES.replace(/(?<=\s)\S/gu, (letter) => letter.toUpperCase())
  for (const wordScanner = new WordScanner(`${NAMES} ${capitalised} ${NAMES.toUpperCase()}`); wordScanner.next(); ) {
    HASHES.add(wordScanner.hash)
    HASH_FILTER[wordScanner.hash & FILTER_MASK] = 1
  }
}
