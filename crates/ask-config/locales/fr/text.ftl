### Fields that are typed in, the editor, paths, attached files.

## Attached files

text-attach = Joindre un fichier
text-attach-how = L'agent voit les images ; il lit les autres fichiers à leur chemin. 10 MB au plus chacun.
text-attach-hint = Son chemin, tapé, collé ou déposé ici
text-attaching = Ajout ...
text-attach-wait = Non envoyé : un fichier est encore en cours d'ajout.
text-attach-too-many = Une réponse peut porter 10 fichiers, et les a déjà.
text-attached-image = image : { $name }, { $measures }
text-attached-file = fichier : { $name }, { $measures }
text-attached-removes = { $file }  ({ $key } le retire)
text-attached-more = { $count ->
    [one] encore { $count } fichier
   *[other] encore { $count } fichiers
}
text-attach-nothing = Dites quel fichier joindre : son chemin, ou déposez-le ici.
text-attach-missing = Le fichier { $name } n'existe pas.
text-attach-no-file = { $name } n'est pas un fichier que l'on peut joindre.
text-attach-no-image = { $name } est joint comme fichier : ce n'est pas une image lisible.
text-attach-unreadable = { $name } est illisible : { $why }.
text-attach-empty = { $name } est vide.
text-attach-too-large = { $name } fait { $size }, et { $most } au plus peuvent être joints. Réduisez-le, ou donnez son chemin dans le texte.
text-attach-nothing-copied = Le presse-papiers ne contient ni image ni fichier.
text-attach-no-program = Le presse-papiers est illisible ici : installez wl-paste (Wayland) ou xclip (X11), ou joignez par chemin.
text-attach-not-kept = Impossible de le garder : { $why }

## Your own editor

text-editor-answer = Votre réponse va au-dessus de la ligne, à cette question :
text-editor-ask-back = Votre contre-question va au-dessus de la ligne. On vous a demandé :
text-editor-note = Votre note va au-dessus de la ligne. Elle porte sur :
text-editor-reason = Votre motif de refus va au-dessus de la ligne. On vous a demandé :
text-editor-below = La ligne, et tout ce qui est en dessous, ne compte pas.
text-editor-other = Votre propre réponse
text-editor-refused = L'éditeur s'est terminé par une erreur : votre texte est intact.
text-editor-missing = Impossible de lancer { $editor } : réglez VISUAL ou EDITOR sur votre éditeur. Votre texte est intact.
text-editor-failed = L'éditeur est inutilisable ({ $reason }). Votre texte est intact.

## Files, after @

text-paths-looking = recherche de fichiers ...
text-paths-total = { $total } fichiers trouvés
text-paths-total-of-first = { $total } des { $files } premiers fichiers
text-paths-none = aucun fichier trouvé
text-paths-none-of-first = aucun fichier trouvé parmi les { $files } premiers

## Earlier answers

text-recall-none = Il n'y a pas encore de réponses de vous.
