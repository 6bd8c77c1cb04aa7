import { foldText } from '../candidates/date.ts';

/** Usual given names of the languages that the engine reads; what begins with one, and looks like a name, is a person's. */
const givenNames = new Set(
  `aaron abby abigail adam adele adrian adriana agnes ahmad ahmed aisha alain alan albert alberto alejandra alejandro
  alessandra alessandro alessio alex alexander alexandra alexandre alexis alfred alfredo ali alice alicia alina
  alison alistair allison alvaro amanda amelia amelie amy ana anais anders andre andrea andreas andrei andres andrew
  andy angel angela angelina angelo anita anja anke ann anna annabelle anne annelies annette annie anouk anthony
  antje antoine anton antonia antonio aoife araceli arjen armin arnaud arthur astrid audrey aurelie aurore avery axel
  barbara bart bas beata beate beatrice beatriz ben benedikt benjamin benoit bernadette bernard bernd bert bettina
  betty beverly bianca bill birgit bjorn bob bobby boris brad brandon brenda brian bridget brigitte britta brittany
  bruce bruno bryan caleb cameron camille carina carl carla carlos carmen carol carole carolina caroline carolyn
  carsten catalina catarina catherine cathy cecile cecilia cedric celeste celine cesar charles charlotte chen cheryl
  chiara chloe chris christa christian christiane christina christine christoph christophe christopher claire clara
  claude claudia claudio clemens clement colin connie conrad constance corinna corinne cornelis craig cristian
  cristina cynthia daan damien dan daniel daniela daniele danielle danny dario darren dave david davide dawn dean
  deborah debra declan deepak delphine denis denise dennis derek detlef diana diane didier diego dieter dietmar dirk
  dolores domenico dominic dominik dominique donald donna dora doris dorothea dorothy douglas duarte dylan edeltraud
  edgar edith eduardo edward edwin eileen elaine eleanor elena eleonora eli elias elijah elisa elisabeth elise
  elizabeth elke ella ellen elodie els elsa emil emilia emilie emily emma emmanuel enrico enrique eric erica erik
  erika erin ernesto ernst erwin esteban esther ethan etienne eugene eva evan eve evelyn fabian fabien fabienne fabio
  fabrice fatima federica federico felicia felipe felix femke ferdinand fernanda fernando filip filipa filippo fiona
  florence florent florian frances francesca francesco francine francis francisco franck francois francoise frank
  franz franziska fred frederic frederik friedrich frits fritz gabriel gabriela gabriele gabrielle gaetan gary gavin
  geert genevieve geoffrey georg george georges gerald gerard gerardo gerd gerda gerhard germain gerrit gertrud
  ghislaine gilbert gilles gina giorgio giovanna giovanni gisela giulia giuseppe glenn gloria goncalo gonzalo gordon
  grace graham greg gregor gregory greta guadalupe gudrun guenter guido guillaume guillermo gunter gunther gustav guy
  hannah hannelore hans harald harold harry hartmut hassan heather hector heidi heike heiko heiner heinrich heinz
  helen helena helene helga helmut hendrik henk henri henrik henry herbert herman hermann herve hilda hilde holger
  hollie holly horst howard hubert hugo ian ibrahim ignacio ilaria ilse imran ina ines inge ingeborg ingo ingrid
  irene irina iris irma irmgard isaac isabel isabella isabelle ismael ivan jack jackie jacob jacqueline jacques jaime
  jake jakob james jamie jan jane janet janice janina jasmin jason javier jean jeanne jeff jeffrey jelena jennifer
  jens jeremy jeroen jerome jerry jesse jessica jesus jill jim joachim joan joana joanna joao joaquin jochen joe joel
  joerg johan johann johanna johannes john johnny jon jonas jonathan joost jordi jorg jorge jose josef josefa joseph
  josephina josephine joshua josiane joyce juan juana judith judy juergen julia julian juliana julie julien juliette
  julio jurgen justin justine kai karen karin karina karl karla karsten kate katharina katherine kathleen kathrin
  kathryn kathy katja katrin kay keith kelly ken kenneth kerstin kevin khadija kim kimberly kirsten klaas klaus koen
  konrad kristin kristina kurt kyle lara larry lars laura laure lauren laurence laurent laurie lea leah leandro lena
  leo leon leona leonard leonardo leonie leonor leslie leticia liam lidia lieke lilian lily linda lisa liz loic
  lorena lorenzo lothar lotte louis louise luc luca lucas lucia lucie lucien lucienne lucy ludovic ludwig luigi luis
  luisa lukas luke lutz lydia lynn maarten madeleine magda magdalena mahesh maike malcolm mandy manfred manon manuel
  manuela mara marc marcel marcela marco marcos marcus margaret margarete margarida margarita margaux margit margot
  maria mariana marianne marie marieke marielle marija marilyn marina mario marion marisa marjolein mark markus
  marlene marloes marta martha martijn martin martina mary mateo mathias mathieu mathilde mathis matias matilde matt
  matteo matthew matthias matthieu maud maureen maurice mauricio max maxime maximilian megan mehmet melanie melissa
  mercedes mia michael michaela michel michele michelle mickael miguel mike milan mireille miriam mirjam mohamed
  mohammed moira monica monika monique moritz muhammad mustafa nadia nadine nancy natalia natalie natasha nathalie
  nathan neil nele niamh nicholas nick nicola nicolas nicole nicolo niels nigel nikolaus nils nina noah noel noelia
  noemi noemie nora norbert norma nuno nuria olaf olga oliver olivia olivier omar oscar oskar otto pablo padraig
  paloma pamela paola paolo pascal pat patrice patricia patricio patrick patrizia paul paula paulina pauline paulo
  pedro peggy penelope peter petra phil philip philipp philippe phillip pia piero pierre piet pieter pilar priya
  quentin rachel rafael rainer rajesh ralf ralph ramesh ramon randy raquel raul ray raymond raymonde rebecca regina
  regine reiner reinhard remi renata renate rene reto ria ricarda ricardo riccardo richard rick rita rob robert
  roberta roberto robin rocio rodrigo roger roland rolf romain roman romeo ron ronald roos rosa rosalie rosario rose
  rosemarie rosemary roswitha roy ruben rudi rudolf rui rupert russell ruth ryan sabine sabrina sally salvador
  salvatore sam samantha samir samuel sander sandra sandrine sandro sanjay sanne sara sarah sascha scott seamus sean
  sebastian sebastien sergio severine shannon sharon sheila shirley sibylle siegfried sigrid silke silvia silvio
  simon simona simone siobhan sjoerd sofia solene sonia sonja sophia sophie srinivas stefan stefania stefanie stefano
  stella stephan stephane stephanie stephen steve steven stuart sue sung sunita suresh susan susana susanna susanne
  suzanne sven svenja svetlana sylvain sylvia sylvie tamara tania tanja tara tatiana ted teresa terry thea theo
  theodor theodore theresa therese thibault thierry thijs thilo thomas thorsten tiago tim timo timothy tina tobias
  tom tomas tommaso toni tony torsten tracy tristan udo ulf ulla ulrich ulrike ursula uta ute uwe valentin valentina
  valeria valerie vanessa vasco venkatesh vera verena veronica veronika veronique vicente vicky victor victoria vijay
  viktor vincent vincenzo virginia virginie viviane volker walter waltraud wanda wendy werner wilfried wilhelm willem
  willi william wim winfried wolfgang xavier ximena xochitl yann yannick yasmin yolanda yves yvette yvonne zachary
  zoe`.split(/\s+/),
);

/** Further given names of countries whose cards are in English as well; some are companies' and streets' names elsewhere. */
const holdersNames = new Set(
  `aadhya aarav abdul abdulla abdullah abdulrahman abena abhishek achille adaeze adebayo aditi aditya adwoa afonso agata
  agatha agnieszka aidan aiden aiko aileen ailsa ajay akash akiko akosua akua alasdair alba alejo aleksandar
  aleksander aleksandra alena alessia alexa alexandru alexia alfie alicja alma alok amalia amara amarachi amber
  ameera amina amir amit amol amparo amrita anand ananya anastasia anatole andreea andrej andrzej aneta angelica
  angus aniket anil anjali ankit antonella antti anup anushka aparna archana ariana ariel arjun arlene arturo arun
  asha asher ashley ashok ashwin asif atsushi aubrey auguste augustus austin autumn ava ayesha aylin ayse aziz azman
  azra baptiste barry bartosz belen bernardo beth bethany bhavna billy blanca blessing bogdan boyd bradley bram
  breandan brendan brent brianna brody bronwyn brooke callum camila candice caoimhe carlota carmela carrie carter
  casey cassandra catriona celestin chad charlene charlie chelsea cherie chiamaka chidi chinedu chinonso christie
  christos cian ciara cillian clarissa claudette clemence clifford clive clodagh clyde cody colm concepcion conor
  consuelo cora cordelia corey cormac cornelia cory courtney curtis dagmar damian dana danuta darius darrell daryl
  deepa deepika desdemona desmond devin dharma diarmuid dinesh divya dmitri dominika donal dorota dragan dragana
  duncan dustin dwayne dwight eamon earl ebony edna edoardo eduard edyta efua ehsan eilidh eimear eliana elif elin
  elisabetta ellie elmer elvira emeka emi emine emre encarnacion enzo eoin ernest esperanza estela eszter ethel
  evelina ewa ewan ezra fabiola faisal farah farid faridah fatih fatoumata felicity fergus fernand fiachra fidel finn
  fleur floyd franco franka freya gail gareth garrett gaston gaurav gaynor geertruida geeta gemma geoff geraldine
  giada gianluca gianna girish gita gladys gopal graciela grainne grayson grzegorz gulsen gwen hadiza halina hamish
  hamza harish harper harriet harsh haruka haruto hayley hazel helder henryk himanshu hinnerk hiroshi hristo huda
  hudson hugh husein hussein huw ifeoma ikechukwu iker ilona iman imogen indira inmaculada ioana ioannis isha ishaan
  isidro isla ivana ivo ivy iwona jacek jackson jada jaden jadwiga jana janelle janusz jared jarek jasmina jasmine
  jatin javed jaya jayden jeffery jenna jenny jerzy jo joaquim jocelyn jodie jolanta jonathon jordan jorgen josefina
  josie juanita jude julieta julius junaid justyna kaan kaden kamal kamala kamil karan kareem kari karim karolina
  kasia katarzyna kavita kavya kayla keisha kelvin kendra kenji kerry khalid kieran kiran kirsty kofi kojo krishna
  kristen kristian krystyna krzysztof kumar kunal kwabena kwame lakshmi lana lance lata latoya laurel lawrence layla
  leila leire leroy lester leszek levi lewis liana lila lillian lina lincoln lionel logan lois lola lori lorna
  lorraine lou lourdes lubna lucinda lukasz luna luz lyla lyndon mabel maciej mackenzie madhu madison maelys maeva
  magdalen magnus maha mahmoud maisie malgorzata malik malte mamadou manish manisha manoj marcelo marcia marcin marek
  mariam marian maribel maricel marisol marko marlon martim maryam mason mateus mateusz mathew matilda maude maximo
  maya mayra meena meera mehdi mei melinda meredith meryem micaela michal mihaela mihai mila milagros mildred milena
  milica millie milos milton mina mira miranda mirela mirella mitchell mohamad mohammad mohan mohit mollie molly
  montserrat morag morgan muhammed murat muriel myra myriam myrtle nabila naomi nasir natalya natasa naveen neda
  neeraj neha nerea ngozi niall nicoletta nidhi nikhil niko nikola nikolaos nirmala nisha nitin noor nor norman nour
  nuala nur nurul oana obinna oceane odette oisin oksana ole olena oliwia olumide omer oonagh opal orla osama oskari
  owen ozlem padma paige paisley palesa pallavi pankaj pavel pavla pawel pearl percy peyton philippa pietro piotr
  pooja pradeep prakash pranav prashant praveen preeti priyanka purificacion quinn radek radhika rafaela rahul raj
  rajiv rakesh rana randall ranjit rashid ravi raymundo reem reena reese rekha reuben rhian rhiannon rhys riley riya
  rizal robbie rocco roderick rodney rohan rohit roisin rolando romina ronan rory rosalind rosanna roshni rosnah ross
  rowan roxana rupa saanvi sabrine sachin sadhbh sadie saeed said saira salim salma samira samson sanjeev santiago
  saoirse saraswati saskia savannah scarlett sebastiao selin sem serena serhat shane shankar shaun shauna shawn
  shelby shelley sherry shirin shreya shruti shweta sian siddharth sienna silas silje sinead siti skylar slawomir
  slobodan sneha soledad soren spencer stacey stanislav stanislaw sunil susannah swati sylwester tahir takeshi tamika
  tanvi tariq tatjana taylor teodora tessa thabo thandiwe thelma theodora tiffany tobi todd tomasz tonya trevor
  trinidad troy truus tuncay tyler tyrone uchenna usha usman valerio vanja varun vasile veerle velma victoire vikas
  vikram vinod viola violet viorica virgil vishal vivek vladimir vuyo wade wan wanjiru wayne wendell wesley wiktoria
  wilbur wilhelmina willard willie wilma winston wojciech wyatt yana yara yash yasmine yesenia ylva yuki yuko yuri
  yusuf zahra zainab zainal zanele zara zbigniew zeynep zoey zofia zoran zuzana`.split(/\s+/),
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
