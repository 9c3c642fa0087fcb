### The page without scripts: what waits, and each ask as a form.

form-pair = Dieses Gerät ist noch nicht zugelassen. Öffne diese Seite mit Skripten und führe am Computer `ask-user pair` aus:
form-sign-in = Um hier zu antworten, melde diesen Browser an: Führe `ask-user web --print` aus und füge den Link ein, den es ausgibt.
form-link = Der Link oder sein Schlüssel
form-sign-in-button = Anmelden
form-wrong-key = Dieser Schlüssel öffnet nichts: Er wurde schon benutzt oder ist älter als zwei Minuten. Führe `ask-user web --print` noch einmal aus.
form-waiting = Was auf dich wartet
form-send = Senden
form-send-gaps = Trotzdem senden
form-gaps = Nicht gesendet: Etwas fehlt oder passt nicht. Es ist unten markiert.
form-gap = Diese Frage braucht eine Antwort, oder die Antwort passt nicht zu ihr.
form-torn = „Keine davon“ und eine Möglichkeit sind beide markiert: Nimm eines von beiden zurück.
form-note = Eine Notiz zu dieser Antwort
form-note-all = Eine Notiz zu allen Antworten
form-back = Zurück zu dem, was wartet
form-again = Dieses Formular war zu alt: Es wurde nichts gesendet. Hier ist es noch einmal.
form-say-what = Nicht gesendet: Schreib, was du wissen möchtest.

## What a browser is shown where there is no page, or where something didn't happen.

form-nothing-here = Hier ist nichts
form-nothing-here-says = Kein Teil dieser Seite hat diese Adresse.
form-without-scripts = Ohne JavaScript tut ein einfaches Formular dasselbe.
form-to-page = Zum Eingang
form-gone = Diese Frage ist nicht hier
form-gone-says = Sie wurde gelöscht, oder ihre Adresse ist unvollständig.
form-other-host = Das ist nicht die Adresse der Seite
# $address is that of this computer, for browsers on it.
form-other-host-says = Auf diesem Computer ist es { $address }. Handys benutzen die Adresse, die `ask-user pair` ausgibt.
form-other-site = Eine andere Website hat hierher geführt
form-other-site-says = Für andere Websites wird nichts geöffnet und nichts gesendet. Geh von hier aus selbst weiter:
form-only-sees = Dieses Gerät sieht Fragen nur
form-only-sees-says = Es wurde nichts gesendet. Antworte am Computer, oder lass dieses Gerät dort noch einmal so zu, dass es antworten darf.
form-shut-out = Zurzeit werden keine Geräte zugelassen
form-shut-out-says = Es wurde nichts gesendet. Schalte es am Computer ein: mit „ask-user pair“ oder dort in den Einstellungen der Seite. Dieses Gerät braucht keinen neuen Code.
form-too-much = Das war zu viel
form-too-much-says = Es wurde nichts gesendet. Geh zurück und sende weniger auf einmal.
form-not-taken = Das wurde nicht angenommen
form-not-taken-says = Es wurde nichts gesendet. Geh zurück und versuch es noch einmal.
form-no-hub = Das geht gerade nicht
form-no-hub-says = Geh zurück und versuch es gleich noch einmal. `ask-user doctor` sagt, was nicht stimmt.
form-kept-meanwhile = Es wurde nichts gesendet: Dieser Browser ist nicht angemeldet. Was du ausgefüllt hast, bleibt so lange erhalten.
form-signed-in = Du bist angemeldet. Noch wurde nichts gesendet: Sieh es noch einmal an und sende es.
form-yours = Was du getippt hattest
form-overheard = Unverschlüsselt: Wer im selben Netz ist, kann mitlesen und an deiner Stelle handeln.
form-only-sees-asks = Dieses Gerät darf Fragen nur sehen. Antworte am Rechner, oder lass das Gerät dort noch einmal ein, sodass es antworten darf.
