grammar T;
a : 'x' ;;
b : 'y' ;
