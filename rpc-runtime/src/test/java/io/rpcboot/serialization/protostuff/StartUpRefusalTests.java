package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.UnsupportedTypeException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Every type that cannot be sent is refused at start-up with method, path, type, reason
 * and what to do.
 */
class StartUpRefusalTests {

	private static final String HERE = RefusedTypes.class.getName();

	@Test
	void message_hasMethodPathTypeAndReason() {
		assertThatExceptionOfType(UnsupportedTypeException.class)
			.isThrownBy(() -> Codecs.of(RefusedTypes.DeepObject.class))
			.withMessage(HERE + "$DeepObject.get(int): result[]{}.second.anything: java.lang.Runnable cannot be sent: "
					+ "it is code, which stays in its process")
			.satisfies((ex) -> assertThat(ex.action()).isEqualTo(
					"Declare the values that it takes or gives. A callback is a method of a service that the caller offers."));
	}

	@Test
	void refusedArgument_isNamed() {
		assertRefused(RefusedTypes.ArrayArgument.class,
				"put(int[],java.lang.Runnable[]): argument others[]: java.lang.Runnable cannot be sent: ",
				"Declare the values");
	}

	@Test
	void unspecificClasses_areRefused() {
		assertRefused(RefusedTypes.InterfaceType.class, "result: java.lang.Runnable cannot be sent: it is code",
				"Declare");
		assertRefused(RefusedTypes.SealedPlatformType.class,
				"result: java.lang.constant.ConstantDesc cannot be sent: an interface",
				"Declare the class that is meant.");
		assertRefused(RefusedTypes.AbstractType.class,
				"result: " + HERE + "$Abstract cannot be sent: an abstract class",
				"seal %1$s$Abstract, name its subclasses by @RpcSubtypes, or set subtypes[%1$s$Abstract]. If it is not your class, give a Delegate for it."
					.formatted(HERE));
		assertRefused(RefusedTypes.UnknownType.class, "result[]: " + HERE + "$Unknown cannot be sent: an interface",
				"@RpcSubtypes");
		assertRefused(RefusedTypes.HalfSealed.class, "result: " + HERE + "$Half2 cannot be sent: an interface",
				"seal " + HERE + "$Half2");
		assertRefused(RefusedTypes.PlatformType.class,
				"result.random: java.util.Random cannot be sent: this class of the JDK", "or give a Delegate for it.");
		assertRefused(RefusedTypes.ThrowableType.class, "result: java.lang.Exception cannot be sent: an exception is",
				"throws clause");
	}

	@Test
	void unsupportedCollections_areRefused() {
		assertRefused(RefusedContainers.HandOverType.class,
				"result: java.util.concurrent.SynchronousQueue cannot be sent: it holds nothing",
				"Declare java.util.concurrent.BlockingQueue.");
		assertRefused(RefusedContainers.DelayType.class, "DelayQueue cannot be sent: when its elements can be taken",
				"BlockingQueue");
		assertRefused(RefusedContainers.CapacityType.class, "ArrayBlockingQueue cannot be sent: its capacity",
				"BlockingQueue");
		assertRefused(RefusedContainers.AbstractListType.class,
				"result: java.util.AbstractList cannot be sent: an abstract class", "Declare java.util.List.");
		assertRefused(RefusedContainers.AttributesType.class,
				"result: java.util.jar.Attributes cannot be sent: this kind of map", "Declare java.util.Map.");
		assertRefused(RefusedContainers.OwnListType.class,
				"result: " + RefusedContainers.class.getName() + "$OwnList cannot", "Declare java.util.List.");
	}

	@Test
	void urlInSetOrKey_isRefused() {
		assertRefused(RefusedContainers.UrlKeyType.class, "result{key}: java.net.URL cannot be sent: its hash code",
				"java.net.URI");
		assertRefused(RefusedContainers.UrlElementType.class, "result[][]: java.net.URL cannot be sent: its hash code",
				"java.net.URI");
	}

	@Test
	void unresolvedGenerics_areRefused() {
		assertRefused(RefusedTypes.RawType.class, "result: java.util.List cannot be sent: it has no type arguments",
				"List<User>");
		assertRefused(RefusedTypes.RawBeanType.class, "result.first: A cannot be sent: nothing says what",
				"Page<User>");
		assertRefused(RefusedTypes.RawSealed.class, "$Result cannot be sent: it has no type arguments", "Give ");
		assertRefused(RefusedTypes.RawFuture.class, "result: java.util.concurrent.CompletableFuture cannot",
				"CompletableFuture<");
		assertRefused(RefusedTypes.EndlessType.class, "cannot be sent: its type arguments nest more than 16 deep",
				"wrap");
	}

	@Test
	void genericServices_areRefused() {
		assertRefused(RefusedTypes.Crud.class,
				"result: T cannot be sent: a service is known by the name of its interface alone, which does not say what the type variable of Crud stands for",
				"such as 'interface UserCrud extends Crud<User>'");
		assertRefused(RefusedTypes.RawCrud.class, "result: T cannot be sent: a service is known by",
				"such as 'interface UserCrud extends Crud<User>'");
		assertRefused(RefusedTypes.Lookup.class, "argument key: K cannot be sent: a service is known by",
				"such as 'interface UserLookup extends Lookup<User, ...>'");
	}

	@Test
	void inaccessibleClasses_areRefused() {
		assertRefused(RefusedTypes.HiddenType.class,
				"result.hidden: " + HERE + "$Hidden cannot be sent: it is not public", "Make it and what");
		assertRefused(RefusedTypes.InnerType.class,
				"$Inner cannot be sent: it is an inner class and holds an instance of ", "Make it static.");
		assertRefused(RefusedTypes.ClosedSuperclass.class, "module java.base does not open package java.lang to ",
				"class of your own");
	}

	@Test
	void invalidSubtypes_areRefused() {
		assertRefused(RefusedTypes.ForeignSubtype.class,
				"result: java.lang.String cannot be sent: @RpcSubtypes of %1$s$NamesString names it, and it is not a subclass of %1$s$NamesString"
					.formatted(HERE),
				"Name public subclasses of " + HERE + "$NamesString");
		assertRefused(RefusedTypes.SecretSubtype.class,
				"$Secret cannot be sent: @RpcSubtypes of %s$NamesSecret names it, and it is not public".formatted(HERE),
				"Name public");
		assertRefused(RefusedTypes.HiddenSubtype.class,
				"the sealed %1$s$NamesHidden names it, and it is not public, because %1$s$InHiding is not"
					.formatted(HERE),
				"Name public");
		assertRefused(RefusedTypes.SubtypeWithBadField.class,
				"get(): result(BadField).field: java.lang.Runnable cannot be sent: ", "Declare");
	}

	@Test
	void invalidApplicationSubtypes_areRefused() {
		record Local() implements RefusedTypes.Unknown {

		}
		RefusedTypes.Unknown anonymous = new RefusedTypes.Unknown() {
		};
		assertRefused(RefusedTypes.Unknown.class, Local.class, "names it, and it is local to a method");
		assertRefused(RefusedTypes.Unknown.class, anonymous.getClass(), "names it, and it is anonymous");
		assertRefused(RefusedTypes.Unknown.class, RefusedTypes.Unknown.class,
				"$Unknown cannot be sent: no class of which there are instances");
	}

	@Test
	void incompatibleSubtypeOptions_areRefused() {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(
				() -> new ProtostuffSerializer(TypeOptions.NONE.withSubtypes(RefusedTypes.Unknown.class, String.class)))
			.withMessage(
					"subtypes[%1$s$Unknown]: java.lang.String (expected: subclasses of %1$s$Unknown)".formatted(HERE));
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> new ProtostuffSerializer(TypeOptions.NONE.withSubtypes(List.class, ArrayList.class)))
			.withMessageContaining("subtypes[java.util.List] (expected: ");
	}

	private static void assertRefused(Class<?> base, Class<?> subtype, String message) {
		ProtostuffSerializer serializer = new ProtostuffSerializer(TypeOptions.NONE.withSubtypes(base, subtype));
		assertThatExceptionOfType(UnsupportedTypeException.class)
			.isThrownBy(() -> serializer.codec(ServiceDescriptor.of(RefusedTypes.UnknownType.class)))
			.withMessageContaining(message);
	}

	@Test
	void classWithoutUsableConstructor_isRefused() {
		assertRefused(RefusedTypes.NoConstructorType.class, "it has neither a no-arg constructor nor", "-parameters");
		assertRefused(RefusedTypes.FinalFieldType.class, "it has final fields and no constructor that takes them",
				"record");
	}

	@Test
	void invalidFieldNumbers_areRefused() {
		assertRefused(RefusedTypes.TwiceTagged.class, "fields 'a' and 'b' both have @Tag(3)", "own number");
		assertRefused(RefusedTypes.HalfTagged.class, "of its fields 'a' and 'b' one has @Tag and one has not",
				"or on none");
		assertRefused(RefusedTypes.ZeroTagged.class, "result.a: int cannot be sent: @Tag(0) (expected: 1 to 536870910)",
				"@Tag");
		assertRefused(RefusedTypes.ShadowedType.class,
				"field 'a' is declared in %s$Shadowed and again in %s$Shadowing".formatted(HERE, HERE), "Rename");
	}

	@Test
	void unsupportedExceptions_areRefused() {
		assertRefused(RefusedTypes.UnbuildableException.class,
				"exception URISyntaxException: java.net.URISyntaxException cannot be sent: it has no constructor",
				"(String, Throwable)");
		assertRefused(RefusedTypes.ExceptionWithObject.class,
				"exception Holding.held: java.lang.Runnable cannot be sent", "Declare");
		assertRefused(RefusedTypes.AbstractException.class, "an abstract exception does not say", "Declare");
	}

	private static void assertRefused(Class<?> service, String message, String action) {
		assertThatExceptionOfType(UnsupportedTypeException.class).isThrownBy(() -> Codecs.of(service))
			.withMessageContaining(message)
			.withMessageStartingWith(service.getName() + ".")
			.satisfies((ex) -> assertThat(ex.action()).contains(action));
	}

}
