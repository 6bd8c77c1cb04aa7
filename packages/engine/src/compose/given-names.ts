import { foldText } from '../candidates/date.ts';

/** Usual given names of the languages that the engine reads; what begins with one, and looks like a name, is a person's. */
const givenNames = new Set(
  `aaron abby abigail adam adele adriana adrian agnes ahmed aisha alain alan albert alberto alejandra alejandro alessandra
  alessandro alex alexander alexandra alexandre alexis alfred alfredo ali alice alicia alina alison allison alvaro amanda
  amelia amelie amy ana anais anders andre andrea andreas andrei andres andrew andy angel angela angelina angelo anita anja
  anke ann anna annabelle anne annette annie anouk anthony antje antoine anton antonia antonio arjen armin arnaud arthur
  astrid audrey aurelie aurore avery axel barbara bart bas beata beate beatrice beatriz ben benedikt benjamin benoit bernadette
  bernard bernd bert bettina beverly bianca bill birgit bjorn bob boris brad brandon brenda brian bridget brigitte britta bruce
  bruno bryan caleb cameron camille carina carl carla carlos carmen carol carole carolina caroline carsten catalina catarina
  catherine cathy cecile cecilia celeste celine cesar charles charlotte chen chiara chloe chris christa christian christiane
  christina christine christoph christophe christopher claire clara claude claudia claudio clement clemens colin connie
  conrad constance corinna corinne craig cristian cristina cynthia daan damien dan daniel daniela daniele danielle danny dario
  darren dave david davide dawn dean deborah delphine denis denise dennis derek detlef diana diane didier diego dieter dietmar
  dirk dolores dominic dominik dominique donald donna dora doris dorothea dorothy douglas duarte dylan edgar edith eduardo
  edward edwin eileen elaine eleanor elena eleonora eli elias elisa elisabeth elise elizabeth ella ellen elke elodie els elsa
  emil emilia emilie emily emma emmanuel enrico enrique eric erica erik erika erin ernst erwin esteban esther ethan etienne
  eugene eva evan eve evelyn fabian fabien fabio fabrice fatima federica federico felicia felipe felix femke ferdinand
  fernanda fernando filip filipa filippo fiona florence florian frances francesca francesco francine francis francisco franck
  francois francoise frank franz franziska fred frederic frederik friedrich frits fritz gabriel gabriela gabriele gabrielle gary
  gavin geert geoffrey george georg georges gerald gerard gerd gerda gerhard germain gerrit gertrud gilbert gilles gina
  giorgio giovanni giulia giuseppe gisela glenn gloria gonzalo goncalo gordon grace graham greg gregor gregory greta guido
  guillaume guillermo gunter gunther gustav guy hannah hans harald harold harry hartmut hassan heather hector heidi heike
  heiko heiner heinrich heinz helen helena helene helga helmut hendrik henk henri henrik henry herbert herman hermann herve
  hilda hilde holger holly hollie horst howard hubert hugo ian ibrahim ignacio ilaria ilse imran ina ines inge ingeborg ingo
  ingrid irene iris irina irma isaac isabel isabella isabelle ivan jack jackie jacob jacqueline jacques jaime jake jakob james
  jamie jan jane janet janice janina jasmin jason javier jean jeanne jeff jeffrey jelena jennifer jens jeremy jerome jeroen
  jesse jessica jesus jill jim joachim joan joana joanna joao joaquin jochen joe joel joerg johan johann johanna johannes john
  jon jonas jonathan joost jordi jorg jorge jose josef josefa joseph josephine joshua joyce juan juana judith judy julia julian
  juliana julie julien juliette julio jurgen justin justine kai karen karin karina karl karla karsten kate katharina
  katherine kathleen kathrin kathryn kathy katja katrin kay keith kelly ken kenneth kerstin kevin kim kirsten klaas klaus koen
  konrad kristin kristina kurt kyle lara larry lars laura laure laurence laurent laurie lea leah leandro lena leo leon leona
  leonard leonardo leonie leonor leslie liam lidia lieke lilian lily linda lisa liz loic lorena lorenzo lothar lotte louis
  louise luc luca lucas lucia lucie lucien lucy ludovic ludwig luigi luis luisa luke lukas lutz lydia lynn maarten madeleine
  magda magdalena maike malcolm mandy manfred manon manuel manuela mara marc marcel marcela marco marcos marcus margaret
  margarete margarida margarita margaux margit margot maria mariana marianne marie marieke marielle marija marina mario
  marion marisa marjolein mark markus marlene marloes marta martha martijn martin martina mary mateo mathias mathieu mathilde
  matias matt matteo matthew matthias maud maureen maurice mauricio max maxime maximilian megan mehmet melanie melissa mercedes
  mia michael michaela michel michele michelle miguel mike milan mireille miriam mirjam mohamed mohammed moira monica monika
  monique moritz mustafa nadia nadine nancy natalia natalie natasha nathalie nathan neil nele nicholas nick nicola nicolas nicole
  nicolo niels nigel nikolaus nils nina noah noel noemi nora norbert norma nuno nuria olaf oliver olivia olivier olga omar
  oscar oskar otto pablo paloma pamela paola paolo pascal pat patrice patricia patricio patrick paul paula paulina pauline paulo
  pedro peggy penelope peter petra phil philip philipp philippe phillip pia piero pierre piet pieter pilar priya quentin rachel
  rafael rainer ralf ralph ramon raquel raul ray raymond rebecca regina regine reinhard remi renata renate rene reto ria ricarda
  ricardo riccardo richard rick rita rob robert roberta roberto robin rocio rodrigo roger roland rolf roman romain romeo ron
  ronald roos rosa rosalie rosario rose rosemarie rosemary roswitha roy ruben rudolf rudi rui rupert russell ruth ryan sabine
  sabrina sally salvador salvatore sam samantha samir samuel sandra sandrine sandro sanne sander sara sarah sascha scott sean
  sebastian sebastien sergio severine shannon sharon sheila shirley sibylle siegfried sigrid silke silvia silvio simon simona
  simone sjoerd sofia sonia sonja sophia sophie stefan stefania stefanie stefano stella stephan stephane stephanie stephen
  steve steven stuart sue sung susan susana susanna susanne suzanne sven svenja svetlana sylvain sylvia sylvie tamara tania
  tanja tara tatiana ted teresa terry thea theo theodor theresa therese thibault thierry thijs thilo thomas thorsten tiago tim
  timo timothy tina tobias tom tomas toni tony torsten tracy tristan udo ulf ulla ulrich ulrike ursula uta ute uwe valentin
  valentina valeria valerie vanessa vasco vera verena veronica veronika veronique vicente vicky victor victoria viktor vincent
  vincenzo virginia virginie viviane volker walter waltraud wanda wendy werner wilfried wilhelm willem william willi wim
  winfried wolfgang xavier yann yannick yasmin yves yvette yvonne zoe`.split(/\s+/),
);

/** Further given names of countries whose cards are in English as well; some are companies' and streets' names elsewhere. */
const holdersNames = new Set(
  `aadhya aarav abdul abdulla abdullah abdulrahman abena abhishek adaeze adebayo aditi aditya adwoa afonso agata
  agnieszka ahmad aidan aiden aiko aileen ajay akash akiko akosua akua alba alejo aleksandar aleksander aleksandra
  alena alessia alexa alexandru alexia alfie alicja alma alok amalia amara amarachi amber ameera amina amir amit amol
  amparo amrita anand ananya anastasia andreea andrej andrzej aneta angelica angus aniket anil anjali ankit antonella
  antti anup anushka aoife aparna araceli archana ariana ariel arjun arlene arturo arun asha ashley ashok ashwin asif
  atsushi aubrey auguste augustus ayesha aylin ayse azra baptiste bartosz belen bernardo beth bethany bhavna blanca
  blessing bogdan boyd bradley breandan brendan brent brianna brittany brody brooke callum camila candice caoimhe
  carlota carmela carrie casey cassandra catriona chad charlene charlie chelsea cherie cheryl chiamaka chidi chinedu
  chinonso christie christos ciara cillian clarissa claudette clemence clifford clive clodagh cody colm concepcion
  conor consuelo corey cornelia cory courtney curtis dagmar damian dana danuta darius darrell daryl deepa deepak
  deepika desmond devin dharma diarmuid dinesh divya dmitri dominika dorota dragan dragana duncan dustin dwayne dwight
  eamon earl ebony eduard edyta efua ehsan eimear elif elin elisabetta elvira emeka emi emine emre encarnacion eoin
  ernest ernesto esperanza estela eszter evelina ewa ewan fabiola faisal farah farid fatih fatoumata felicity fiachra
  fidel finn floyd franco franka freya gail gareth garrett gaurav gaynor geeta gemma genevieve geraldine gerardo giada
  gianluca giovanna girish gita gopal graciela grainne grzegorz guadalupe gulsen gwen hadiza halina hamza hannelore
  harriet harsh haruka haruto hayley hazel henryk himanshu hiroshi hristo huda hugh husein hussein ifeoma ikechukwu
  iker ilona iman imogen indira inmaculada ioana ioannis isha ishaan isidro isla ivana ivo iwona jacek jada jaden
  jadwiga janelle janusz jared jarek jasmina jasmine jatin javed jaya jayden jeffery jenna jenny jerzy jo joaquim
  jocelyn jodie johnny jolanta jonathon jorgen josefina josie juanita jude julieta julius junaid justyna kaan kaden
  kamal kamala kamil karan kareem kari karim karolina kasia katarzyna kavita kavya kayla keisha kelvin kendra kenji
  kerry khadija khalid kieran kimberly kiran kirsty kofi kojo krishna kristen kristian krystyna krzysztof kumar kunal
  kwabena kwame lakshmi lana lance lata latoya laurel lauren layla leila leire leszek leticia lewis liana lila lillian
  lina lionel logan lois lola lorna lorraine lourdes lubna lucinda lukasz luz lyla lyndon mabel maciej mackenzie madhu
  madison magdalen magnus maha mahmoud maisie malgorzata malik mamadou manish manisha manoj marcelo marcia marcin
  marek mariam marian maribel maricel marisol marko marlon maryam mason mateus mateusz mathew matilda maximo maya
  mayra meera mehdi mei melinda meredith meryem micaela michal mihaela mihai mila milagros milena milica millie milos
  mina mira miranda mirela mirella mitchell mohamad mohammad mohan mohit mollie molly montserrat morgan muhammad
  muhammed murat muriel myra myriam nabila naomi nasir natalya natasa naveen neda neeraj neha nerea ngozi niall niamh
  nicoletta nidhi nikhil niko nikola nikolaos nisha nitin noelia nour nuala nur oana obinna oisin oksana olena oliwia
  olumide omer oonagh orla osama oskari owen ozlem padraig paige palesa pallavi pankaj pavel pavla pawel percy peyton
  philippa piotr pooja prakash pranav prashant praveen preeti priyanka purificacion radek radhika rafaela rahul raj
  rajesh rajiv rakesh ramesh rana randall ranjit rashid ravi raymundo reem reena reese rekha reuben rhiannon rhys riya
  robbie rocco roderick rodney rohan rohit roisin rolando romina ronan rory rosalind rosanna roshni ross rowan roxana
  rupa saanvi sabrine sachin sadhbh saeed said saira salim salma samira samson sanjay sanjeev santiago saoirse saskia
  sebastiao selin serena serhat shane shaun shauna shawn shelby shelley sherry shirin shreya shruti shweta sian
  siddharth sienna silas silje sinead siobhan slawomir slobodan sneha soledad soren spencer stacey stanislav stanislaw
  sunil sunita suresh susannah swati sylwester tahir takeshi tamika tanvi tariq tatjana taylor teodora tessa thabo
  thandiwe theodora tiffany tobi todd tomasz tonya trevor trinidad troy tuncay tyler tyrone uchenna usman valerio
  vanja varun vasile veerle velma victoire vijay vikas vikram vinod viorica virgil vishal vivek vladimir vuyo wade
  wanjiru wayne wendell wesley wiktoria winston wojciech ximena yana yara yash yasmine yesenia ylva yolanda yuki yuko
  yuri yusuf zachary zahra zainab zanele zara zbigniew zeynep zofia zoran zuzana`.split(/\s+/),
);

/** Usual surnames of Chinese names, as Singapore, Malaysia and Hong Kong write them; they stand before the given names. */
const chineseSurnames = new Set(
  `tan lim lee ng ong wong goh chua chan koh teo ang yeo tay ho low toh sim chong chia foo chen cheng cheung chow chu chung
  fong fung heng kang khoo kok kong kuan kwok kwan lai lam lau leong leung liang lin ling liu lo loh lok loo lui luo mak ngai
  ngo ooi pang peh phua poh poon quah quek seah seow siew soh soon sun tang tham tong tsang tse tsui wang wei woo wu xu yap
  yang yeung yong yu yuen yip zhang zhao zhou zhu huang yee yuan`.split(/\s+/),
);

/** Whether a word is a usual surname of Chinese names. */
export function isChineseSurname(word: string): boolean {
  return chineseSurnames.has(foldText(word));
}

/** Whether a text begins with a usual given name, in any case and with or without accents. */
export function hasGivenName(text: string): boolean {
  return givenNames.has(firstWord(text));
}

/** Whether what stands on a card, where only names are looked for, begins with a given name. */
export function hasHoldersGivenName(text: string): boolean {
  return hasGivenName(text) || holdersNames.has(firstWord(text));
}

function firstWord(text: string): string {
  return foldText(text).split(/[\s-]+/)[0] ?? '';
}
