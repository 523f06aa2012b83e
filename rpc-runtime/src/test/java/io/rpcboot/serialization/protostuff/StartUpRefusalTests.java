package io.rpcboot.serialization.protostuff;

import org.junit.jupiter.api.Test;

import io.rpcboot.serialization.UnsupportedTypeException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Every type that cannot be carried is refused at start-up with method, path, type,
 * reason and what to do.
 */
class StartUpRefusalTests {

	private static final String HERE = RefusedTypes.class.getName();

	@Test
	void messageIsWhole() {
		assertThatExceptionOfType(UnsupportedTypeException.class)
			.isThrownBy(() -> Codecs.of(RefusedTypes.DeepObject.class))
			.withMessage(HERE + "$DeepObject.get(int): result[]{}.second.anything: java.lang.Object cannot be carried: "
					+ "it does not say which class arrives")
			.satisfies((ex) -> assertThat(ex.action()).isEqualTo("Declare the class that is meant."));
	}

	@Test
	void argumentsAreNamed() {
		assertRefused(RefusedTypes.ArrayArgument.class, "put(int,int[]): argument numbers: int[] cannot be carried: ",
				"Use a List.");
	}

	@Test
	void classesThatDoNotSayWhatArrives() {
		assertRefused(RefusedTypes.InterfaceType.class, "result: java.lang.Runnable cannot be carried: an interface",
				"Declare");
		assertRefused(RefusedTypes.SerializableType.class, "result: java.io.Serializable cannot", "Declare the class");
		assertRefused(RefusedTypes.AbstractType.class,
				"result: " + HERE + "$Abstract cannot be carried: an abstract class", "Declare the class");
		assertRefused(RefusedTypes.PlatformType.class,
				"result.stream: java.io.InputStream cannot be carried: this class of the JDK", "Delegate");
		assertRefused(RefusedTypes.ThrowableType.class,
				"result: java.lang.Exception cannot be carried: an exception is", "throws clause");
	}

	@Test
	void collectionsOfOtherKinds() {
		assertRefused(RefusedTypes.QueueType.class,
				"result: java.util.Queue cannot be carried: this kind of collection", "Use ");
		assertRefused(RefusedTypes.ConcurrentMapType.class, "result: java.util.concurrent.ConcurrentHashMap cannot",
				"Use Map");
		assertRefused(RefusedTypes.OwnListType.class, "result: " + HERE + "$OwnList cannot", "Use ");
	}

	@Test
	void unresolvedGenerics() {
		assertRefused(RefusedTypes.RawType.class, "result: java.util.List cannot be carried: it has no type arguments",
				"List<User>");
		assertRefused(RefusedTypes.RawBeanType.class, "result.first: A cannot be carried: nothing says what",
				"Page<User>");
		assertRefused(RefusedTypes.MethodVariable.class, "result: T cannot be carried: nothing says what",
				"type argument");
		assertRefused(RefusedTypes.WildcardType.class, "result: ? cannot be carried: a wildcard", "wildcard");
		assertRefused(RefusedTypes.RawFuture.class, "result: java.util.concurrent.CompletableFuture cannot",
				"CompletableFuture<");
		assertRefused(RefusedTypes.EndlessType.class, "cannot be carried: its type arguments nest more than 16 deep",
				"wrap");
	}

	@Test
	void classesOutOfReach() {
		assertRefused(RefusedTypes.HiddenType.class,
				"result.hidden: " + HERE + "$Hidden cannot be carried: " + HERE + "$Hidden is not public",
				"Make " + HERE + "$Hidden public.");
		assertRefused(RefusedTypes.InnerType.class,
				"$Inner cannot be carried: it is an inner class and holds an instance of ", "Make it static.");
		assertRefused(RefusedTypes.ClosedSuperclass.class, "module java.base does not open package java.lang to ",
				"class of your own");
	}

	@Test
	void constructors() {
		assertRefused(RefusedTypes.NoConstructorType.class, "it has neither a no-arg constructor nor", "-parameters");
		assertRefused(RefusedTypes.FinalFieldType.class, "it has final fields and no constructor that takes them",
				"record");
	}

	@Test
	void numbers() {
		assertRefused(RefusedTypes.TwiceTagged.class, "fields 'a' and 'b' both have @Tag(3)", "own number");
		assertRefused(RefusedTypes.HalfTagged.class, "of its fields 'a' and 'b' one has @Tag and one has not",
				"or on none");
		assertRefused(RefusedTypes.ZeroTagged.class,
				"result.a: int cannot be carried: @Tag(0) (expected: 1 to 536870910)", "@Tag");
		assertRefused(RefusedTypes.ShadowedType.class,
				"field 'a' is declared in %s$Shadowed and again in %s$Shadowing".formatted(HERE, HERE), "Rename");
	}

	@Test
	void exceptions() {
		assertRefused(RefusedTypes.UnbuildableException.class,
				"exception URISyntaxException: java.net.URISyntaxException cannot be carried: it has no constructor",
				"(String, Throwable)");
		assertRefused(RefusedTypes.ExceptionWithObject.class,
				"exception Holding.held: java.lang.Object cannot be carried", "Declare");
		assertRefused(RefusedTypes.AbstractException.class, "an abstract exception does not say", "Declare");
	}

	private static void assertRefused(Class<?> service, String message, String action) {
		assertThatExceptionOfType(UnsupportedTypeException.class).isThrownBy(() -> Codecs.of(service))
			.withMessageContaining(message)
			.withMessageStartingWith(service.getName() + ".")
			.satisfies((ex) -> assertThat(ex.action()).contains(action));
	}

}
